// Two lists of tunables whose names, written one behind the other, are the same text: "d32" "d64", and
// "d3" "2d64". The second list is given the winner of the first. Start it twice: names A, then names B.
#[path = "common.rs"]
mod common;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};

static TUNER: LocalTuner<String, String> = LocalTuner::new("names");
static LAUNCHES: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let names = match std::env::args().nth(1).as_deref() {
        Some("A") => ["d32", "d64"],
        Some("C") => ["d32", "d128"],
        _ => ["d3", "2d64"],
    };
    let client = client();
    let mut set =
        TunableSet::<String, Handle, ()>::new_cloning_inputs(|_: &Handle| "key".to_string());
    for (unroll, name) in [1, 2].into_iter().zip(names) {
        let client = client.clone();
        set = set.with(Tunable::new(name, move |x: Handle| {
            LAUNCHES.fetch_add(1, Ordering::Relaxed);
            launch(&client, &x, 1.0, unroll);
            Ok::<(), String>(())
        }));
    }
    println!("checksum of {names:?}: {}", set.compute_checksum());
    TUNER.execute(
        &"cpu".to_string(),
        &client,
        Arc::new(set),
        vector(&client, 1.0),
    );
    let trials = LAUNCHES.load(Ordering::Relaxed) - 1;
    println!("{names:?}: {trials} launches of trials");
}
