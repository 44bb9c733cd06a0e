import assert from 'node:assert/strict';
import { chatTest, watchRequests } from './chat-test.mjs';

const QUESTION = 'Question: Which order is it about?';
const ANSWER = /^\/questions\/[^/]+\/answer$/;

chatTest('a question is answered by one of its options', async ({ chat, page }) => {
  const answers = watchRequests(page, ANSWER);
  await chat.send('refund');
  await chat.card(QUESTION).waitFor();

  await page.getByRole('button', { name: 'A-1002' }).click();

  const card = chat.card('You answered: Which order is it about?');
  await card.getByText('A-1002').waitFor();
  await chat.said('Let me look at order A-1002 first.').waitFor();
  await chat.card('Approval needed: issue_refund').waitFor();
  assert.deepEqual(
    answers.map((request) => request.postDataJSON()),
    [{ answer: 'A-1002' }],
  );
});

chatTest('a question is answered in own words, up to the refund', async ({ chat }) => {
  await chat.send('refund');
  await chat.card(QUESTION).waitFor();

  await chat.ownAnswer.fill('the one with number A-1001');
  await chat.ownAnswer.press('Enter');

  await chat.card('Approval needed: issue_refund').waitFor();
  await chat.approveButton.click();
  await chat.said('Refunded $42.00 to your original payment method.').waitFor();
});

chatTest('a blank answer cannot be sent', async ({ chat, page }) => {
  const answers = watchRequests(page, ANSWER);
  await chat.send('refund');
  const card = chat.card(QUESTION);
  await card.waitFor();
  await chat.ownAnswer.fill('   ');
  await chat.ownAnswer.press('Enter');
  assert.ok(await card.getByRole('button', { name: 'Send' }).isDisabled());

  await chat.ownAnswer.fill('A-1001');
  await card.getByRole('button', { name: 'Send' }).click();
  await chat.card('Approval needed: issue_refund').waitFor();
  assert.equal(answers.length, 1);
});

chatTest('two options in one task are one answer, the first', async ({ chat, page }) => {
  const answers = watchRequests(page, ANSWER);
  await chat.send('refund');
  await chat.card(QUESTION).waitFor();
  await page.evaluate(() => {
    for (const option of document.querySelectorAll('.option')) option.click();
  });
  await chat.card('Approval needed: issue_refund').waitFor();
  assert.deepEqual(
    answers.map((request) => request.postDataJSON()),
    [{ answer: 'A-1001' }],
  );
});
