#pragma once
// Elementary functions with the same bits on every machine. The C library's differ between systems,
// versions and processors in the last bit, and one bit can tip a token; these use only additions,
// multiplications, divisions and square roots, which IEEE 754 defines to the bit. They are compiled
// without fused multiply-add. The error is below 1 ulp (units in the last place) of the result
// type, for sine and cosine up to arguments of 2^30; tests measure it against wider arithmetic.

namespace kv::math {

double exp(double x);
double log(double x);
double log1p(double x);  // log(1 + x)
double log2(double x);
double log10(double x);
double exp2(double x);
double pow(double x, double y);
double sin(double x);
double cos(double x);
double hypot(double x, double y);  // the root of x^2 + y^2, which must not overflow

// Computed in double precision and rounded once.
float exp(float x);
float sin(float x);
float cos(float x);
float hypot(float x, float y);
float atan2(float y, float x);
float acos(float x);

}  // namespace kv::math
