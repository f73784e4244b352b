#pragma once
// In the place of the loader that the window's sources include: in a page the browser's functions
// are there without loading.

#include <GLES3/gl3.h>
