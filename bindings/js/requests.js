import { withCall } from './call.js';
import { resultOf } from './decode.js';
import { TurnwireError } from './error.js';

export const sendMessage = (baseUrl, agent, message, options) =>
  withCall(baseUrl, options, async (call, options) => {
    const result = resultOf(await call.sendMessage(agent, message), options);
    // Only a decision can be answered with no more than this.
    if (result.ok === true && result.text === undefined) {
      const expected = 'expected a turn or a pending item, found an acknowledgement';
      throw new TurnwireError({ code: 'invalid-response', message: expected });
    }
    return result;
  });

export const approveCall = (baseUrl, id, options) =>
  withCall(baseUrl, options, async (call, options) =>
    resultOf(await call.approveCall(id), options),
  );

export const denyCall = (baseUrl, id, options) =>
  withCall(baseUrl, options, async (call, options) => resultOf(await call.denyCall(id), options));

export const answerQuestion = (baseUrl, id, answer, options) =>
  withCall(baseUrl, options, async (call, options) =>
    resultOf(await call.answerQuestion(id, answer), options),
  );

export const getSessionHistory = (baseUrl, agent, sessionId, options) =>
  withCall(baseUrl, options, async (call, options) =>
    resultOf(await call.getSessionHistory(agent, sessionId), options),
  );

export const getPendingApprovals = (baseUrl, agent, options) =>
  withCall(baseUrl, options, async (call, options) =>
    resultOf(await call.getPendingApprovals(agent), options),
  );

export const getPendingQuestions = (baseUrl, agent, options) =>
  withCall(baseUrl, options, async (call, options) =>
    resultOf(await call.getPendingQuestions(agent), options),
  );
