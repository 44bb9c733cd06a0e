/** Has the page's server answer as one does that knows Protocol v1 alone: no turn has a name. */
export async function knowOnlyProtocol(page) {
  await page.route('**/turns/**', (route) => route.fulfill({ status: 404, json: { error: 'no' } }));
  await page.route(isAnswer, async (route) => {
    const response = await route.fetch();
    const headers = Object.entries(response.headers());
    const plain = headers.filter(([name]) => !name.startsWith('x-turnwire-'));
    await route.fulfill({ response, headers: Object.fromEntries(plain) });
  });
}

/** Has something between page and server change the headers of a turn's stream, once it is over. */
export async function changeStreamHeaders(page, changed) {
  await page.route('**/messages/stream', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...changed } });
  });
}

function isAnswer({ pathname }) {
  return /^\/agents\/[^/]+\/(sessions|approvals|questions)\b/.test(pathname);
}
