//! The adapter of CubeCL's autotuner: requests as lines of JSON on stdin, one answer each on stdout.

mod arguments;
mod edition;
mod kernels;
#[cfg(without_llvm)]
mod llvm;
mod messages;
mod mutants;
mod nvrtc;
mod protocol;
mod release;
mod serve;
mod trials;
mod tuned;
mod watch;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(status) = mutants::read_arguments(&arguments) {
        std::process::exit(status);
    }
    if let Err(error) = release::take_the_named_one() {
        eprintln!("the named release cannot be started: {error}");
        std::process::exit(1);
    }
    if let Err(error) = nvrtc::take_the_judges() {
        eprintln!("the judge's NVRTC cannot be put in place: {error}");
    }
    if mutants::is_planted("stores_nothing") {
        // No other thread runs yet.
        unsafe { std::env::set_var("CUBECL_AUTOTUNE_CACHE", "0") };
    }
    serve::serve();
}
