// One of two tunables cannot be compiled for the device: its WGSL is refused. Prints which one wins, and what
// becomes of the call.
#[path = "common.rs"]
mod common;
use std::sync::{Arc, Mutex};

use common::*;
use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};

static TUNER: LocalTuner<String, String> = LocalTuner::new("refused");

// A constant that is no number: WGSL has none.
#[cube(launch)]
fn no_number(x: &mut [f32]) {
    if ABSOLUTE_POS < x.len() {
        x[ABSOLUTE_POS] = f32::new(f32::NAN);
    }
}

fn main() {
    let client = client();
    let launched: Arc<Mutex<Vec<&str>>> = Arc::default();
    let generator = client.clone();
    let (good_client, good) = (client.clone(), launched.clone());
    let (bad_client, bad) = (client.clone(), launched.clone());
    let set = TunableSet::new(
        |_: &Handle| "key".to_string(),
        move |_: &String, _: &Handle| vector(&generator, 1.0),
    )
    .with(Tunable::new("compiles", move |x: Handle| {
        good.lock().unwrap().push("compiles");
        launch(&good_client, &x, 1.0, 1);
        Ok::<(), String>(())
    }))
    .with(Tunable::new("does not compile", move |x: Handle| {
        bad.lock().unwrap().push("does not compile");
        let x = unsafe { BufferArg::from_raw_parts(x, ELEMENTS) };
        no_number::launch(&bad_client, CubeCount::Static(16, 1, 1), CubeDim::new_1d(64), x);
        Ok::<(), String>(())
    }));
    let x = vector(&client, 1.0);
    TUNER.execute(&"cpu".to_string(), &client, Arc::new(set), x.clone());
    let launched = launched.lock().unwrap().clone();
    let times = |name| launched.iter().filter(|each| **each == name).count();
    println!("compiles: {} launches; does not compile: {}", times("compiles"), times("does not compile"));
    println!("the winner: {}", launched.last().unwrap());
    match client.read_one(x) {
        Ok(bytes) => println!("x = {}", f32::from_bytes(&bytes)[0]),
        Err(error) => println!("x cannot be read: {}", error.to_string().lines().next().unwrap_or("")),
    }
}
