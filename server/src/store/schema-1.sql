CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    environment TEXT NOT NULL,
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Leading messages that an earlier compaction keeps out of the prompt.
    left_out INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, environment, agent, id)
) STRICT;

CREATE TABLE messages (
    session INTEGER NOT NULL REFERENCES sessions (number),
    seq INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions (number),
    -- Who drives it: only a server's turns go on after a restart.
    driver TEXT NOT NULL CHECK (driver IN ('server', 'command')),
    is_over INTEGER NOT NULL,
    state TEXT NOT NULL
) STRICT;

CREATE INDEX turns_open ON turns (driver) WHERE is_over = 0;

CREATE TABLE events (
    turn INTEGER NOT NULL REFERENCES turns (number),
    seq INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (turn, seq)
) STRICT, WITHOUT ROWID;

-- Items that a person decides or has decided.
CREATE TABLE items (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    turn INTEGER NOT NULL REFERENCES turns (number),
    kind TEXT NOT NULL CHECK (kind IN ('approval', 'question')),
    event TEXT NOT NULL,
    decision TEXT
) STRICT;

CREATE INDEX items_open ON items (turn) WHERE decision IS NULL;

-- What the demo shop remembers.
CREATE TABLE refunds (
    session INTEGER NOT NULL REFERENCES sessions (number),
    order_id TEXT NOT NULL,
    PRIMARY KEY (session, order_id)
) STRICT, WITHOUT ROWID;
