//! A server's life: put together, serve, stop.

use crate::agents::{Agents, LoadError};
use crate::agentskit::Desk;
use crate::config::Config;
use crate::http::{self, OriginFault};
use crate::store::{DataPlace, Driver, Store, StoreError};
use crate::turns::{Parts, SystemStamps, Turns};
use axum::Router;
use std::fs::{File, TryLockError};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long open connections are waited for once the server stops.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often old events are looked for.
const SWEEP: Duration = Duration::from_secs(60 * 60);

/// Why a server could not be put together.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An agent's folder is not sound.
    #[error(transparent)]
    Agents(#[from] LoadError),
    /// The data cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A configured origin is none.
    #[error(transparent)]
    Origin(#[from] OriginFault),
    /// No port is to be had.
    #[error("cannot listen: {0}")]
    Listen(#[source] io::Error),
    /// Another server uses the data folder.
    #[error("another server uses the data folder {path}", path = .0.display())]
    InUse(PathBuf),
}

/// A server that is ready to serve; its unfinished turns are already going on.
#[derive(Debug)]
pub struct App {
    router: Router,
    turns: Turns,
    keep_events: Duration,
    /// Held for as long as the server lives; the system frees it even after a crash.
    _lock: Option<File>,
}

impl App {
    /// The routes, for tests that call them directly.
    pub fn router(&self) -> Router {
        self.router.clone()
    }
}

/// Puts a server together: opens the store, reads the agents, takes unfinished turns up again.
///
/// # Errors
/// [`StartError`] with a sentence for the person who starts it.
pub async fn app(config: Config) -> Result<App, StartError> {
    let lock = lock(&config.data)?;
    let turns = turns(&config, Driver::Server).await?;
    turns.resume().await?;
    let desk = Desk::new(turns.clone(), config.turn_timeout);
    desk.resume().await?;
    turns.drop_old_events(config.keep_events).await?;
    let router = http::router(&config, turns.clone(), desk)?;
    Ok(App { router, turns, keep_events: config.keep_events, _lock: lock })
}

/// Serves until `shutdown` is done, then ends every stream and stores where each turn stands.
///
/// # Errors
/// Those of the listener.
pub async fn serve(
    listener: TcpListener,
    app: App,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let App { router, turns, keep_events, _lock } = app;
    let (stopping, stopped) = oneshot::channel();
    let leaving = turns.clone();
    let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
        shutdown.await;
        leaving.begin_stop();
        // Nobody listens any more only if serving has ended by itself.
        let _ = stopping.send(());
    });
    let result = tokio::select! {
        result = serving => result,
        () = out_of_patience(stopped) => Ok(()),
        () = drop_old_events(&turns, keep_events) => Ok(()),
    };
    turns.stop().await;
    turns.store().close().await;
    result
}

/// For as long as the server lives.
async fn drop_old_events(turns: &Turns, age: Duration) {
    loop {
        tokio::time::sleep(SWEEP).await;
        if let Err(error) = turns.drop_old_events(age).await {
            tracing::error!(%error, "old events could not be dropped");
        }
    }
}

/// A reader that does not read must not keep the server from stopping.
async fn out_of_patience(stopped: oneshot::Receiver<()>) {
    match stopped.await {
        Ok(()) => tokio::time::sleep(PATIENCE).await,
        Err(_) => std::future::pending().await,
    }
}

/// The turns of a server or of a command.
pub(crate) async fn turns(config: &Config, driver: Driver) -> Result<Turns, StartError> {
    let mut agents = Agents::embedded()?;
    for folder in &config.agents {
        agents.add_folder(folder)?;
    }
    Ok(Turns::new(Parts {
        agents,
        store: Store::open(&config.data).await?,
        stamps: Box::new(SystemStamps),
        environment: config.environment.clone(),
        step_delay: config.step_delay,
        driver,
    }))
}

/// Two servers would both take up the same turns.
fn lock(data: &DataPlace) -> Result<Option<File>, StartError> {
    match data {
        DataPlace::Memory => Ok(None),
        DataPlace::Folder(folder) => lock_folder(folder).map(Some),
    }
}

fn lock_folder(folder: &Path) -> Result<File, StartError> {
    std::fs::create_dir_all(folder).map_err(StoreError::Folder)?;
    let file = File::create(folder.join("server.lock")).map_err(StoreError::Folder)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StartError::InUse(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(StoreError::Folder(error).into()),
    }
}

/// A server on a free port of this machine, for tests.
#[derive(Debug)]
pub struct TestServer {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<io::Result<()>>,
}

impl TestServer {
    /// Starts it.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let app = app(config).await?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(StartError::Listen)?;
        let address = listener.local_addr().map_err(StartError::Listen)?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve(listener, app, async {
            // Dropping the handle stops the server as well.
            let _ = stopped.await;
        }));
        Ok(Self { address, stop, serving })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL to give to a client, without a slash at its end.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops it and waits until it has stopped.
    pub async fn stop(self) {
        // An error means that it has stopped already.
        let _ = self.stop.send(());
        let _ = self.serving.await;
    }
}
