//! A call's tensors on the device, as the tuner's functions are given them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex};

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::server::Handle;

use crate::protocol::{self, Config};

/// Where a tensor's elements lie in the memory that is bound for it.
#[derive(CubeLaunch, CubeType, Clone, Copy)]
pub struct Place {
    pub offset: i32,
    pub outer: i32,
    pub inner: i32,
}

/// The same of a tensor with three dimensions.
#[derive(CubeLaunch, CubeType, Clone, Copy)]
pub struct Place3d {
    pub offset: i32,
    pub outer: i32,
    pub middle: i32,
    pub inner: i32,
}

#[derive(Clone, Debug)]
pub struct Tensor {
    pub file: String,
    pub handle: Handle, // of all bytes of the file: canaries around the tensor are there as well
    pub bytes: u64,
    pub byte_offset: u64,
    pub dtype: String,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
}

pub fn size_of_dtype(dtype: &str) -> u64 {
    match dtype {
        "f64" | "i64" => 8,
        "f32" | "i32" => 4,
        "bf16" | "f16" => 2,
        _ => 1,
    }
}

impl Tensor {
    pub fn element_offset(&self) -> i64 {
        (self.byte_offset / size_of_dtype(&self.dtype)) as i64
    }

    /// As an argument of a kernel. Valid for as long as the handle is.
    pub fn buffer(&self) -> BufferArg {
        let length = (self.bytes / size_of_dtype(&self.dtype)) as usize;
        unsafe { BufferArg::from_raw_parts(self.handle.clone(), length) }
    }

    /// Where a vector's elements lie (`inner`), or those of a matrix (`outer`: its rows).
    pub fn place(&self) -> PlaceLaunch {
        let stride = |from_end: usize| {
            let rank = self.strides.len();
            if rank > from_end {
                self.strides[rank - 1 - from_end] as i32
            } else {
                0
            }
        };
        PlaceLaunch::new(self.element_offset() as i32, stride(1), stride(0))
    }

    /// Where the elements of a tensor with three dimensions lie.
    pub fn place_3d(&self) -> Place3dLaunch {
        let stride = |dimension: usize| self.strides[dimension] as i32;
        Place3dLaunch::new(self.element_offset() as i32, stride(0), stride(1), stride(2))
    }

    pub fn is_bf16(&self) -> bool {
        self.dtype == "bf16"
    }

    pub fn size(&self, dimension: usize) -> u32 {
        self.shape.get(dimension).copied().unwrap_or(1) as u32
    }
}

/// What the functions that are tuned take: CubeCL clones it for every launch. A clone names the same
/// memory, as a user's own tensors do.
#[derive(Clone)]
pub struct Arguments {
    pub kernel: String,
    pub tensors: Arc<BTreeMap<String, Tensor>>,
    pub scalars: Arc<BTreeMap<String, f64>>,
    /// Tensors that are zeroed right before each launch.
    pub zeroed: Arc<Vec<String>>,
    pub key_scalars: Arc<Vec<String>>,
    /// Which build of the kernel this is: edition.rs.
    pub edition: u32,
    /// Configs in the order in which they were launched for this call.
    pub launched: Arc<Mutex<Vec<Config>>>,
}

impl Arguments {
    pub fn tensor(&self, name: &str) -> &Tensor {
        &self.tensors[name]
    }

    pub fn float(&self, name: &str) -> f32 {
        self.scalars[name] as f32
    }

    pub fn integer(&self, name: &str) -> i64 {
        self.scalars[name] as i64
    }

    /// The same question about other memory, with the same content. Tensors that share memory share
    /// the copy.
    pub fn copied(&self, client: &Client, names: &[&str]) -> Self {
        let mut tensors = (*self.tensors).clone();
        for name in names {
            let written = &self.tensors[*name];
            let content = client
                .read_one(written.handle.clone())
                .expect("the tensor can be read");
            let handle = client.create_from_slice(&content);
            for tensor in tensors.values_mut().filter(|tensor| tensor.file == written.file) {
                tensor.handle = handle.clone();
            }
        }
        Self {
            tensors: Arc::new(tensors),
            ..self.clone()
        }
    }
}

/// A call's tensors in device memory; those that share a file share memory.
pub struct OnDevice {
    pub tensors: BTreeMap<String, Tensor>,
    files: BTreeMap<String, Handle>,
}

impl OnDevice {
    pub fn upload(client: &Client, tensors: &[protocol::Tensor]) -> Result<Self, String> {
        let mut files: BTreeMap<String, (Handle, u64)> = BTreeMap::new();
        let mut all = BTreeMap::new();
        for tensor in tensors {
            if tensor.byte_offset % size_of_dtype(&tensor.dtype) != 0 {
                return Err(format!("{}: an element is not aligned to its size", tensor.name));
            }
            if !files.contains_key(&tensor.file) {
                let mut content = fs::read(&tensor.file).map_err(|error| error.to_string())?;
                let bytes = content.len() as u64;
                content.resize(content.len().div_ceil(4) * 4, 0); // wgpu copies words
                files.insert(tensor.file.clone(), (client.create_from_slice(&content), bytes));
            }
            let (handle, bytes) = files[&tensor.file].clone();
            all.insert(
                tensor.name.clone(),
                Tensor {
                    file: tensor.file.clone(),
                    handle,
                    bytes,
                    byte_offset: tensor.byte_offset,
                    dtype: tensor.dtype.clone(),
                    shape: tensor.shape.clone(),
                    strides: tensor.strides.clone(),
                },
            );
        }
        let files = files
            .into_iter()
            .map(|(file, (handle, _))| (file, handle))
            .collect();
        Ok(Self { tensors: all, files })
    }

    /// Writes everything back that the call left there, canaries included.
    pub fn download(self, client: &Client) -> Result<(), String> {
        for (file, handle) in self.files {
            let size = fs::metadata(&file).map_err(|error| error.to_string())?.len() as usize;
            let content = client.read_one(handle).map_err(|error| format!("{error:?}"))?;
            fs::write(&file, &content[..size]).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
