//! Transports and clients.
