//! The settings that every protocol's client takes.

/// Gives a client with an `endpoint` and a `reconnect` policy its settings, its `Clone` and its
/// `Debug`, which shows no header.
macro_rules! client_settings {
    ($client:ident) => {
        impl<T: $crate::client::Transport> $client<T> {
            /// Sets the headers of every request; those of a call replace them, whatever the case.
            ///
            /// # Errors
            /// `invalid-argument` for a name or a value that cannot be sent.
            pub fn with_headers(mut self, headers: Vec<(String, String)>) -> $crate::Result<Self> {
                self.endpoint.set_headers(headers)?;
                Ok(self)
            }

            /// Sets a function that is asked for the headers of each request; they replace the
            /// [static ones](Self::with_headers) of the same name.
            #[must_use]
            pub fn with_header_source(mut self, source: $crate::client::HeaderSource) -> Self {
                self.endpoint.header_source = Some(source);
                self
            }

            /// Sets how long to wait for what.
            #[must_use]
            pub fn with_timeouts(mut self, timeouts: $crate::client::Timeouts) -> Self {
                self.endpoint.timeouts = timeouts;
                self
            }

            /// Sets how much is taken in and sent.
            #[must_use]
            pub fn with_limits(mut self, limits: $crate::Limits) -> Self {
                self.endpoint.limits = limits;
                self
            }

            /// Sets how what broke off is taken up again, for those who follow a whole turn.
            #[must_use]
            pub fn with_reconnect(mut self, reconnect: $crate::client::Reconnect) -> Self {
                self.reconnect = reconnect;
                self
            }
        }

        impl<T> Clone for $client<T> {
            fn clone(&self) -> Self {
                Self { endpoint: self.endpoint.clone(), reconnect: self.reconnect }
            }
        }

        impl<T> std::fmt::Debug for $client<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($client))
                    .field("timeouts", &self.endpoint.timeouts)
                    .field("limits", &self.endpoint.limits)
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(super) use client_settings;
