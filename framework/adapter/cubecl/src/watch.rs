//! Tells the observer which bindings of a kernel are tensors: docs/evidence.md, "The watch file".

use std::fs::OpenOptions;
use std::io::Write;

use serde_json::json;

use crate::arguments::{Arguments, Tensor, size_of_dtype};
use crate::protocol::Call;

const VARIABLE: &str = "TUNECHECK_PROBE_WATCH_FILE";

/// Before the device is opened: the observer reads its environment then.
pub fn begin() {
    let file = std::env::temp_dir().join("cubecl-watch.jsonl");
    // No other thread runs yet.
    unsafe { std::env::set_var(VARIABLE, file) };
}

/// A line per call: it has other tensors than the one before. CubeCL's entry points begin with the
/// kernel's name, behind which its types and a digest of its comptime arguments stand.
pub fn announce(call: &Call, arguments: &Arguments) -> std::io::Result<()> {
    let Some(path) = std::env::var_os(VARIABLE) else {
        return Ok(());
    };
    let tensors: Vec<_> = call
        .arguments
        .tensors
        .iter()
        .enumerate()
        .map(|(binding, name)| watched(binding, arguments.tensor(name)))
        .collect();
    let line = json!({"kernel": format!("{}_*", call.kernel), "as": call.kernel, "tensors": tensors});
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())
}

fn watched(binding: usize, tensor: &Tensor) -> serde_json::Value {
    let bytes = tensor.bytes.div_ceil(4) * 4;
    json!({
        "parameter": binding,
        "dtype": tensor.dtype,
        "shape": tensor.shape,
        "strides": tensor.strides,
        "offset": tensor.byte_offset / size_of_dtype(&tensor.dtype),
        "bytes": bytes,
    })
}
