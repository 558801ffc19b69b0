// A library with functions of a version of FFTW that the probe does not know. Nothing in its memory
// is as the probe would look at it.
extern "C" {

extern const char fftw_version[] = "fftw-4.0.0";

void* fftw_mkapiplan(int, unsigned, void* problem) {
  return problem;
}

void fftw_execute(const void*) {}
}
