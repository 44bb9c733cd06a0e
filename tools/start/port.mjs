import { createServer } from 'node:net';
import { Failure } from '../report/failure.mjs';

/** The port that PORT names; 8787 if it names none. */
export function parsePort(text) {
  if (text === undefined || text === '') return 8787;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Failure(`PORT has to be a number from 0 to 65535, not "${text}".`);
}

/** Makes sure that a port of this machine is free; resolves to it, or to a free one for 0. */
export function reservePort(port, host) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(new Failure(explain(error, port))));
    probe.listen({ port, host, exclusive: true }, () => {
      const free = probe.address().port;
      probe.close(() => resolve(free));
    });
  });
}

function explain(error, port) {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} is in use: stop what runs there or choose another one, for example PORT=${port + 1} npm start.`;
  }
  return `Port ${port} cannot be used (${error.code}): choose another one, for example PORT=8787 npm start.`;
}
