// A library that is taken for NVRTC: all functions that are asked for, none of which compiles.
extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 99;
  *minor = FAKE_MINOR;
  return 0;
}
#ifndef FAKE_LACKS_A_FUNCTION
int nvrtcCreateProgram() {
  return 1;
}
#endif
int nvrtcDestroyProgram() {
  return 1;
}
int nvrtcCompileProgram() {
  return 1;
}
int nvrtcGetCUBINSize() {
  return 1;
}
int nvrtcGetCUBIN() {
  return 1;
}
int nvrtcGetProgramLogSize() {
  return 1;
}
int nvrtcGetProgramLog() {
  return 1;
}
}
