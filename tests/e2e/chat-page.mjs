import { AGENTSKIT } from './turn-server.mjs';

/** Has the browser say whether there is a network. Runs in the page. */
export function sayOnline(isOnline) {
  Object.defineProperty(navigator, 'onLine', { get: () => isOnline, configurable: true });
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

/** The chatbox as a person finds it: by roles, labels and texts. */
export class ChatPage {
  constructor(page) {
    this.page = page;
    this.composer = page.getByRole('textbox', { name: 'Message' });
    this.sendButton = page.getByRole('button', { name: 'Send', exact: true }).last();
    this.stopButton = page.getByRole('button', { name: 'Stop' });
    this.newConversation = page.getByRole('button', { name: 'New conversation' });
    this.status = page.getByRole('status');
    this.conversation = page.getByRole('main');
    this.messages = page.locator('.message.user');
    this.approveButton = page.getByRole('button', { name: 'Approve' });
    this.denyButton = page.getByRole('button', { name: 'Deny' });
    this.withdrawButton = page.getByRole('button', { name: 'Withdraw' });
    this.retryButton = page.getByRole('button', { name: 'Retry' });
    this.ownAnswer = page.getByRole('textbox', { name: 'Answer in your own words' });
  }

  /** Loads the page, and waits until it can be used. */
  async open(url) {
    await this.page.goto(url);
    await this.composer.waitFor();
  }

  /** Loads the page in AgentsKit's protocol. */
  speakAgentsKit() {
    return this.open(new URL(AGENTSKIT, this.page.url()).href);
  }

  /** Sends messages that are answered with each kind of component, and waits for the last. */
  async askForComponents() {
    await this.speakAgentsKit();
    for (const message of ['show me the return policy', 'track order A-1003', 'show the map']) {
      await this.send(message);
      await this.messages.filter({ hasText: message }).waitFor();
      await this.statusOf('Done').waitFor();
    }
    await this.send('list my orders');
    await this.choice('Order A-1001, stoneware teapot').click();
    await this.said('Order A-1001 (stoneware teapot) is delivered.').waitFor();
    await this.statusOf('Done').waitFor();
    await this.send('list my orders');
    await this.choice('Order A-1001, stoneware teapot').waitFor();
  }

  /** Writes a message and sends it. */
  async send(text) {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** Sends a message that leads to the approval of a refund, and waits for its card. */
  async askForRefund() {
    await this.send('order A-1001 arrived broken, can you refund it?');
    await this.card('Approval needed: issue_refund').waitFor();
  }

  /** The card with this heading. */
  card(heading) {
    return this.page.getByRole('region', { name: heading });
  }

  /** What a card says quietly. */
  note(text) {
    return this.page.locator('.card-note').getByText(text, { exact: true });
  }

  /** The words that stand in for a component, for the reason of this code. */
  standIn(code) {
    return this.page.locator(`.stand-in[data-code="${code}"]`);
  }

  /** A button with this label, in a card's list of choices. */
  choice(label) {
    return this.page.locator('.choices').getByRole('button', { name: label, exact: true });
  }

  /** The messages that wait to be sent. */
  get waiting() {
    return this.messages.filter({ hasText: 'Waits to be sent' });
  }

  /** Everything that the conversation shows, as a person sees it. */
  shown() {
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not shown
    return this.conversation.innerText();
  }

  /** The timeline's entry of a tool, in this state. */
  tool(name, status) {
    const entry = this.page.locator(`.tool[data-status="${status}"]`);
    return entry.filter({ has: this.page.locator('.tool-name', { hasText: name }) });
  }

  /** What the agent says. */
  said(text) {
    return this.conversation.getByText(text, { exact: true });
  }

  /** What is announced at once. */
  alert(text) {
    return this.page.getByRole('alert').filter({ hasText: text });
  }

  /** The status line with this text. */
  statusOf(text) {
    return this.status.filter({ hasText: new RegExp(`^${text}$`) });
  }

  /** The element that has the focus. */
  focused(selector) {
    return this.page.locator(`${selector}:focus`);
  }

  /** The session that the page's address names. */
  session() {
    return new URL(this.page.url()).searchParams.get('session');
  }
}
