//! Answers requests until it is asked to quit, or stdin ends.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::FromRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, OnceLock};
use std::thread;

use cubecl::Device;
use cubecl::client::Client;
use cubecl::wgpu::WgpuDeviceKind;
use serde_json::{Value, json};

use crate::arguments::{Arguments, OnDevice};
use crate::edition;
use crate::kernels;
use crate::messages;
use crate::mutants;
use crate::protocol::{Call, CallAnswer, Config, PROTOCOL, Request};
use crate::release;
use crate::trials;
use crate::tuned;
use crate::watch;

unsafe extern "C" {
    fn dup(descriptor: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
}

/// stdout belongs to the protocol; whatever else is printed goes to the log.
fn take_stdout() -> File {
    unsafe {
        let answers = File::from_raw_fd(dup(1));
        dup2(2, 1);
        answers
    }
}

pub fn serve() {
    let mut answers = take_stdout();
    watch::begin();
    messages::begin();
    for line in BufReader::new(std::io::stdin()).lines() {
        let Ok(line) = line else { return };
        let (answer, is_last) = answer_to(&line);
        if writeln!(answers, "{answer}").is_err() || is_last {
            return;
        }
    }
}

fn answer_to(line: &str) -> (Value, bool) {
    let answer = match serde_json::from_str::<Request>(line) {
        Ok(Request::Hello { protocol, backend }) => hello(protocol, &backend),
        Ok(Request::Call(call)) => json!(answer_call(*call)),
        Ok(Request::Calls { calls }) => json!({"answer": "calls", "calls": answer_calls(calls)}),
        Ok(Request::Quit) => return (json!({"answer": "quit"}), true),
        Err(error) => {
            json!({"answer": "error", "message": format!("expected hello, call, calls or quit: {error}")})
        }
    };
    (answer, false)
}

static CLIENT: OnceLock<Client> = OnceLock::new();

/// What results are kept by, besides the key: as Burn names a device. Asking for the device looks for drivers, which
/// takes milliseconds.
fn tune_id() -> &'static String {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| format!("{:?}", device()))
}

static BACKEND: OnceLock<String> = OnceLock::new();

/// With CUDA the first GPU, and otherwise a device of the kind "CPU": lavapipe.
fn device() -> Device {
    match BACKEND.get().map(String::as_str) {
        Some("cuda") => Device::cuda(0).expect("built with the feature cuda"),
        _ => Device::vulkan(WgpuDeviceKind::Cpu).expect("CubeCL was built with wgpu"),
    }
}

fn missing(backend: &str) -> &'static str {
    match backend {
        "cuda" => "no CUDA device, or a program that was built without --features cuda",
        _ => "no Vulkan device that is a CPU (Debian: mesa-vulkan-drivers)",
    }
}

fn hello(protocol: u32, backend: &str) -> Value {
    if protocol != PROTOCOL {
        return json!({"answer": "error", "message": format!("expected protocol version {PROTOCOL}, found {protocol}")});
    }
    let _ = BACKEND.set(backend.to_string());
    if let Err(error) = trials::begin(backend) {
        return json!({"answer": "error", "message": format!("cubecl.toml cannot be written: {error}")});
    }
    match catch_unwind(|| device().client()) {
        Ok(client) => {
            let name = client.properties().identity.name.clone();
            let _ = CLIENT.set(client);
            json!({"answer": "hello", "protocol": PROTOCOL, "tuner": mutants::tuner_name(), "version": release::OWN,
                   "backend": backend, "device": name, "arch": "", "capabilities": [], "policies": {}})
        }
        Err(panic) => json!({"answer": "error", "message":
            format!("{}: {}", missing(backend), text_of(&*panic))}),
    }
}

/// A panic as text in one line.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn answer_calls(calls: Vec<Call>) -> Vec<CallAnswer> {
    let ready = Arc::new(Barrier::new(calls.len()));
    let threads: Vec<_> = calls
        .into_iter()
        .map(|call| {
            let ready = ready.clone();
            thread::spawn(move || {
                ready.wait();
                answer_call(call)
            })
        })
        .collect();
    threads
        .into_iter()
        .map(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| CallAnswer::failed("the thread panicked".into()))
        })
        .collect()
}

fn answer_call(call: Call) -> CallAnswer {
    for (name, value) in &call.environment {
        // Whoever reads the environment at this moment would race with it: calls with another
        // environment are asked one at a time.
        unsafe {
            match value {
                Some(value) => std::env::set_var(name, value),
                None => std::env::remove_var(name),
            }
        }
    }
    catch_unwind(AssertUnwindSafe(|| make_call(&call)))
        .unwrap_or_else(|panic| Err(text_of(&*panic)))
        .unwrap_or_else(CallAnswer::failed)
}

fn make_call(call: &Call) -> Result<CallAnswer, String> {
    let client = CLIENT.get().ok_or("a call came before hello")?;
    let kernel = kernels::find(&call.kernel).ok_or_else(|| format!("no kernel {}", call.kernel))?;
    let configs: Vec<Config> = call.configs.iter().map(|config| config.values.clone()).collect();
    let tuned = tuned::tuned(client, kernel, &configs, edition::with_comments(call));
    let on_device = OnDevice::upload(client, &call.tensors)?;
    let mut arguments = Arguments {
        kernel: call.kernel.clone(),
        tensors: Arc::new(on_device.tensors.clone()),
        scalars: Arc::new(call.scalars.clone()),
        zeroed: Arc::new([call.reset_to_zero.as_slice(), &call.hook_zeroes].concat()),
        key_scalars: Arc::new(call.key_scalars.clone()),
        edition: edition::of(call),
        launched: Arc::default(),
    };
    watch::announce(call, &arguments).map_err(|error| error.to_string())?;
    messages::take();
    let mut answer = None;
    let calls = call.burst.as_ref().map_or(1, |burst| burst.calls);
    for index in 0..calls {
        if let Some(burst) = &call.burst {
            let mut scalars: BTreeMap<String, f64> = call.scalars.clone();
            *scalars.get_mut(&burst.scalar).ok_or("no such scalar")? += (index as i64 % burst.keys) as f64;
            arguments.scalars = Arc::new(scalars);
        }
        arguments.launched = Arc::default();
        let one = execute(client, &tuned, &arguments);
        let was_hit = answer
            .as_ref()
            .is_none_or(|before: &CallAnswer| before.cache == "hit");
        answer = Some(CallAnswer {
            cache: if was_hit { one.cache } else { "miss" },
            ..one
        });
    }
    drop(arguments);
    let downloaded = on_device.download(client);
    let answer = answer.expect("at least one call");
    downloaded.map(|()| CallAnswer {
        message: messages::take(),
        ..answer
    })
}

fn execute(client: &Client, tuned: &tuned::Tuned, arguments: &Arguments) -> CallAnswer {
    if mutants::is_planted("tunes_every_call") {
        tuned::forget();
    }
    if mutants::is_planted("leaks_each_call") {
        std::mem::forget(vec![1_u8; 8192]);
    }
    tuned
        .tuner
        .execute(tune_id(), client, tuned.set.clone(), arguments.clone());
    let launched = arguments.launched.lock().expect("no holder panics").clone();
    let winner = launched.last().cloned().unwrap_or_default();
    let is_hit = launched.len() == 1 || mutants::is_planted("says_hit");
    let cache = if is_hit { "hit" } else { "miss" };
    let trials = trials::take(&tuned::key_of(arguments), &launched);
    CallAnswer {
        trials: Some(trials),
        ..CallAnswer::done(winner, cache, String::new())
    }
}
