// Calls the library of fftw_stranger.cpp.
extern "C" {
void* fftw_mkapiplan(int sign, unsigned flags, void* problem);
void fftw_execute(const void* plan);
}

int main() {
  int nothing = 0;
  fftw_execute(fftw_mkapiplan(-1, 0, &nothing));
}
