//! The two transports: standard input and output, and streamable HTTP.

use std::{future::IntoFuture as _, io, net::SocketAddr, sync::Arc};

use anyhow::{Context as _, bail};
use axum::{Router, middleware, serve::ListenerExt as _};
use rmcp::{
    ServiceExt as _,
    service::ServerInitializeError,
    transport::{
        stdio_pipes,
        streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService},
    },
};
use tokio::{net::TcpListener, runtime};

use super::{
    http_guard::{self, Guard, LOOPBACK},
    http_sessions::HttpSessions,
    server::Server,
    stdio::Lines,
};

/// The path of the server's URL.
const PATH: &str = "/mcp";
/// The number of threads that receive and send messages.
const THREADS: usize = 2;
/// The greatest number of threads that make answers. Two of them read and write the standard streams if these are no
/// pipes.
const BLOCKING_THREADS: usize = 10;

/// Serves until the client closes standard input, or until a signal.
///
/// # Errors
/// See [`super::run`].
pub(super) fn run(
    server: Server,
    http: Option<SocketAddr>,
    token: Option<String>,
    note: fn(&str),
) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()
        .context("the server cannot start its threads")?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = async {
                match http {
                    Some(address) => listen(server, address, token, note).await,
                    None => stdio(server).await,
                }
            } => outcome,
            () = stopped() => Ok(()),
        }
    });
    // The runtime does not wait for its threads: a read of standard input cannot be cancelled, and no client waits for
    // the answers that are being made.
    runtime.shutdown_background();
    outcome
}

/// Serves the client that started this process, over standard input and output.
async fn stdio(server: Server) -> anyhow::Result<()> {
    match server.serve(Lines::new(stdio_pipes())).await {
        Ok(service) => {
            service.waiting().await.context("the server failed")?;
            Ok(())
        }
        // The client closed the connection before its first message.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error).context("the client does not speak the protocol"),
    }
}

/// Serves all clients over HTTP.
async fn listen(server: Server, address: SocketAddr, token: Option<String>, note: fn(&str)) -> anyhow::Result<()> {
    if token.is_none() && !address.ip().is_loopback() {
        bail!("{address} can be reached from other machines; add --token-file FILE, or listen on 127.0.0.1");
    }
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            bail!("{address} is in use, maybe by another server; name another port, or 0 for a free one")
        }
        Err(error) => return Err(error).with_context(|| format!("cannot listen on {address}")),
    };
    let address = listener.local_addr()?;
    let own = address.ip().to_string();
    // The host names of this machine are unknown. A web page that uses one of them does not know the token.
    let has_any_name = address.ip().is_unspecified();
    let hosts = (!has_any_name).then(|| LOOPBACK.into_iter().map(str::to_owned).chain([own]).collect());
    let guard = Arc::new(Guard { hosts, token });
    // The guard has checked the hosts: more strictly, and all of them.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    let sessions = Arc::new(HttpSessions::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::clone(&sessions), config);
    let router = Router::new()
        .nest_service(PATH, service)
        .layer(middleware::from_fn(move |request, next| http_guard::check(Arc::clone(&guard), request, next)));
    note(&format!("listening on http://{address}{PATH}"));
    // Answers are small: without the delay of Nagle's algorithm they arrive 40 ms earlier. A connection for which the
    // option cannot be set is served with the delay.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    tokio::select! {
        outcome = axum::serve(listener, router).into_future() => outcome.context("the server failed"),
        () = sessions.end_unused() => Ok(()),
    }
}

/// Waits for a signal that ends the process.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminated = async {
            match signal(SignalKind::terminate()) {
                Ok(mut signal) => _ = signal.recv().await,
                // The default handler of the system ends the process then.
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = terminated => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
