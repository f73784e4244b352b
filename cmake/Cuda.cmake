# Decides whether the CUDA backend is built, and teaches CMake 3.25.1 the C++20 flag of nvcc. The build
# machine needs no GPU: architectures are listed, never detected.

set(KVARIUM_HAS_CUDA OFF)
if(KVARIUM_CUDA STREQUAL "OFF")
  return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(KVARIUM_CUDA STREQUAL "ON")
    message(FATAL_ERROR "KVARIUM_CUDA is ON but nvcc was not found: put it on the PATH, set CUDACXX, or pass "
                        "-DKVARIUM_CUDA=OFF.")
  endif()
  return()
endif()

if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75-virtual 80 86 89 90)
endif()
enable_language(CUDA)
# CMake learned this in 3.25.2; without it a C++20 CUDA target is refused. Set the standard only after it.
if(CMAKE_VERSION VERSION_LESS 3.25.2 AND NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
find_package(CUDAToolkit REQUIRED)
set(KVARIUM_HAS_CUDA ON)
