// Tunes one key, or finds its winner in the cache folder ($XDG_CACHE_HOME/cubecl). Prints how many launches were
// trials, and what CubeCL warned of. With a number, that many keys.
#[path = "common.rs"]
mod common;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};
use log::{LevelFilter, Log, Metadata, Record};

static TUNER: LocalTuner<String, String> = LocalTuner::new("store");
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

struct Printed;
impl Log for Printed {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.target().starts_with("cubecl")
    }
    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            println!("{}: {}", record.level(), record.args());
        }
    }
    fn flush(&self) {}
}

fn main() {
    log::set_logger(&Printed).unwrap();
    log::set_max_level(LevelFilter::Warn);
    let tunables: u32 = std::env::args()
        .nth(1)
        .map_or(3, |text| text.parse().unwrap());
    let client = client();
    let mut set =
        TunableSet::<String, Handle, ()>::new_cloning_inputs(|_: &Handle| "key".to_string());
    for unroll in 1..=tunables {
        let client = client.clone();
        set = set.with(Tunable::new(
            &format!("unroll {unroll}"),
            move |x: Handle| {
                LAUNCHES.fetch_add(1, Ordering::Relaxed);
                launch(&client, &x, 1.0, unroll);
                Ok::<(), String>(())
            },
        ));
    }
    TUNER.execute(
        &"cpu".to_string(),
        &client,
        Arc::new(set),
        vector(&client, 1.0),
    );
    println!(
        "{} launches of trials",
        LAUNCHES.load(Ordering::Relaxed) - 1
    );
}
