import assert from 'node:assert/strict';
import { chatTest } from './chat-test.mjs';

for (const file of ['turnwire-demo_bg.wasm', 'turnwire-demo.js']) {
  chatTest(
    `a page that cannot load ${file} says so`,
    { expectedErrors: /ERR_FAILED|Failed to fetch/ },
    async ({ chat, page }) => {
      await page.route(`**/${file}`, (route) => route.abort());
      await page.reload();
      await chat.statusOf('The chat could not be loaded. Reload the page to try again.').waitFor();

      await page.unroute(`**/${file}`);
      await page.reload();
      await chat.composer.waitFor();
      assert.equal(await page.getByText('could not be loaded').count(), 0);
    },
  );
}
