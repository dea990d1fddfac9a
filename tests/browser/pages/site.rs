//! A web server as plain as those that hold files.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, spawn};

/// Serves the files of a folder until it is dropped.
pub struct Site {
    port: u16,
    is_over: Arc<AtomicBool>,
    asked: Arc<Mutex<Vec<String>>>,
    listening: Option<JoinHandle<()>>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // It waits for somebody.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        let _ = self.listening.take().map(JoinHandle::join);
    }
}

impl Site {
    /// All answers have these headers, too.
    pub fn serve(folder: PathBuf, port: &str, headers: &'static str) -> Site {
        let listener = TcpListener::bind(format!("127.0.0.1:{port}")).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (is_over, asked) = (Arc::<AtomicBool>::default(), Arc::<Mutex<_>>::default());
        let (told, kept) = (is_over.clone(), asked.clone());
        let listening = spawn(move || {
            for stream in listener.incoming().flatten() {
                if told.load(Ordering::Relaxed) {
                    return;
                }
                let (folder, kept) = (folder.clone(), kept.clone());
                // Whoever asks may leave before there is an answer.
                spawn(move || answer(&stream, &folder, &kept, headers));
            }
        });
        Site { port, is_over, asked, listening: Some(listening) }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The paths that have been asked for, also by workers.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(mut stream: &TcpStream, folder: &Path, asked: &Mutex<Vec<String>>, headers: &str) -> Option<()> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let request = lines.next()?;
    lines.find(String::is_empty)?;
    let path = request.split(' ').nth(1)?.trim_start_matches('/');
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    let name = if path.is_empty() { "index.html" } else { path };
    let kind = match name.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let (status, bytes) = match std::fs::read(folder.join(name)) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = bytes.len();
    // A page may be kept for ten minutes, as hosts of files have it.
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: max-age=600\r\nConnection: close\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&bytes).ok()
}
