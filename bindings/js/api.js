// What every entry exports, once the module is started.
export { createChat } from './chat.js';
export { decodeLoopEvent, LoopEventDecoder, SseDecoder } from './decoders.js';
export { TurnwireError } from './error.js';
export {
  answerQuestion,
  approveCall,
  denyCall,
  getPendingApprovals,
  getPendingQuestions,
  getSessionHistory,
  sendMessage,
} from './requests.js';
export { streamMessage, streamMessageWithCallbacks } from './stream.js';
