#pragma once
// Which sanitizer is woven into this build: g++ says so by a macro, clang by a feature.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KV_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define KV_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define KV_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define KV_THREAD_SANITIZER
#endif
