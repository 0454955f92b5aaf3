//! [`Browser`]: headless Chromium through its driver, by the WebDriver protocol over a local socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Where the programs may be.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const DRIVER: &str = "chromedriver";

/// A browser that makes no connection of its own.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// Whether browser and driver are here.
pub(super) fn installed() -> bool {
    browser().is_some() && runs(DRIVER)
}

fn browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|name| runs(name))
}

fn runs(name: &str) -> bool {
    let mut command = Command::new(name);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A session of a headless browser; it ends with the value.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: std::path::PathBuf,
}

impl Browser {
    /// Starts driver and browser with a fresh profile.
    pub(super) fn start(folder: &Path) -> Result<Self, String> {
        let name = browser().ok_or("no browser")?;
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = port.map_err(|error| format!("no local port: {error}"))?.port();
        let driver = Command::new(DRIVER)
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot run {DRIVER}: {error}"))?;
        let profile = folder.join(format!("profile-{}", std::process::id()));
        let mut browser = Browser { driver, port, session: String::new(), profile };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_secs(30) {
                return Err(format!("{DRIVER} does not answer"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let profile = format!("--user-data-dir={}", browser.profile.display());
        let arguments: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).chain([profile]).collect();
        let options = json!({ "binary": which(name), "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "unhandledPromptBehavior": "ignore",
        } } });
        let started = browser.call("POST", "/session", &wanted)?;
        browser.session = started["sessionId"].as_str().ok_or("no session")?.to_owned();
        browser.command("timeouts", &json!({ "script": 120_000, "pageLoad": 120_000 }))?;
        Ok(browser)
    }

    /// Opens a page and waits until its script is done; an address that differs in its fragment alone is opened anew.
    pub(super) fn open(&mut self, address: &str) -> Result<(), String> {
        self.command("url", &json!({ "url": "about:blank" }))?;
        self.command("url", &json!({ "url": address }))?;
        Ok(())
    }

    /// Runs a function's body in the page and gives what it returns.
    pub(super) fn run(&mut self, script: &str) -> Result<Value, String> {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs a function's body that calls its last argument when it is done.
    pub(super) fn run_async(&mut self, script: &str) -> Result<Value, String> {
        self.command("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Presses keys, one after the other.
    pub(super) fn press(&mut self, keys: &[&str]) -> Result<(), String> {
        let action = |key: &&str| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let actions: Vec<Value> = keys.iter().flat_map(action).collect();
        let keyboard = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] });
        self.command("actions", &keyboard).map(drop)
    }

    /// Presses the left button at one point of the window, moves to another in steps, and lets go.
    pub(super) fn drag(&mut self, from: [f64; 2], to: [f64; 2]) -> Result<(), String> {
        let place = |share: f64| {
            let [x, y] = [0, 1].map(|axis| (from[axis] + share * (to[axis] - from[axis])).round());
            json!({ "type": "pointerMove", "duration": 20, "origin": "viewport", "x": x, "y": y })
        };
        let button = |kind: &str| json!({ "type": kind, "button": 0 });
        let actions = json!([
            place(0.0),
            button("pointerDown"),
            place(0.4),
            place(0.8),
            place(1.0),
            button("pointerUp")
        ]);
        let mouse = json!({ "actions": [{
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions,
        }] });
        self.command("actions", &mouse).map(drop)
    }

    /// Shows the page as on a medium: `print`, or `screen` again.
    pub(super) fn media(&mut self, name: &str) -> Result<(), String> {
        let medium = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "media": name } });
        self.command("goog/cdp/execute", &medium).map(drop)
    }

    /// Prints the page, and gives the file in base64.
    pub(super) fn print(&mut self) -> Result<String, String> {
        let printed = self.command("print", &json!({ "page": { "width": 21.0, "height": 29.7 } }))?;
        printed.as_str().map(str::to_owned).ok_or_else(|| "nothing was printed".to_owned())
    }

    /// The size of the window.
    pub(super) fn resize(&mut self, width: u32, height: u32) -> Result<(), String> {
        self.command("window/rect", &json!({ "width": width, "height": height })).map(drop)
    }

    /// What the page wrote to its console, of any level.
    pub(super) fn console(&mut self) -> Result<Vec<String>, String> {
        let log = self.command("se/log", &json!({ "type": "browser" }))?;
        let message = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        Ok(log.as_array().into_iter().flatten().map(message).collect())
    }

    /// Every request since the last call, by its address.
    pub(super) fn requests(&mut self) -> Result<Vec<String>, String> {
        let log = self.command("se/log", &json!({ "type": "performance" }))?;
        let request = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let sent = message["message"]["method"] == "Network.requestWillBeSent";
            let url = message["message"]["params"]["request"]["url"].as_str()?;
            sent.then(|| url.to_owned())
        };
        Ok(log.as_array().into_iter().flatten().filter_map(request).collect())
    }

    /// Whether a dialog is open.
    pub(super) fn has_dialog(&mut self) -> bool {
        let path = format!("/session/{}/alert/text", self.session);
        self.call("GET", &path, &Value::Null).is_ok()
    }

    /// A picture of the window, as a PNG in base64.
    pub(super) fn picture(&mut self) -> Result<String, String> {
        let path = format!("/session/{}/screenshot", self.session);
        let picture = self.call("GET", &path, &Value::Null)?;
        picture.as_str().map(str::to_owned).ok_or_else(|| "no picture".to_owned())
    }

    fn command(&mut self, command: &str, body: &Value) -> Result<Value, String> {
        self.call("POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// One request to the driver.
    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        let answer = (|| -> std::io::Result<Vec<u8>> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_read_timeout(Some(Duration::from_secs(180)))?;
            stream.write_all(head.as_bytes())?;
            stream.write_all(body.as_bytes())?;
            let mut reader = BufReader::new(stream);
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line)? > 2 {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
                line.clear();
            }
            let mut answer = vec![0; length];
            reader.read_exact(&mut answer)?;
            Ok(answer)
        })();
        let answer = answer.map_err(|error| format!("{DRIVER}: {path}: {error}"))?;
        let mut answer: Value =
            serde_json::from_slice(&answer).map_err(|error| format!("{DRIVER}: {path}: {error}"))?;
        let value = answer["value"].take();
        match value.get("error") {
            Some(error) => Err(format!("{error}: {}", value["message"].as_str().unwrap_or_default())),
            None => Ok(value),
        }
    }
}

/// The place of a program: the driver takes paths alone.
fn which(name: &str) -> String {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|place| place.is_file());
    found.map_or_else(|| name.to_owned(), |place| place.display().to_string())
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.call("DELETE", &format!("/session/{}", self.session), &Value::Null).ok();
        }
        self.driver.kill().ok();
        self.driver.wait().ok();
        std::fs::remove_dir_all(&self.profile).ok();
    }
}
