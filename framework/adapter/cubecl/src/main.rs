//! The adapter of CubeCL's autotuner: requests as lines of JSON on stdin, one answer each on stdout.

mod arguments;
mod kernels;
mod messages;
mod protocol;
mod serve;
mod tuned;
mod watch;

fn main() {
    serve::serve();
}
