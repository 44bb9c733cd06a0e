import { jsonOfInteraction, textOfComponentEvent } from './agentskit-values.js';
import { invalidArgument, stringOf } from './error.js';
import * as wasm from './turnwire_js.js';

export function createSelectionEvent(frame, choiceId) {
  const { componentKey, instanceId } = frame ?? {};
  return JSON.parse(
    wasm.createSelectionEvent(stringOf(componentKey), stringOf(instanceId), stringOf(choiceId)),
  );
}

export function createInteractionEvent(frame, event, value) {
  const { componentKey, instanceId } = frame ?? {};
  const json = jsonOfInteraction(value);
  if (json === null) throw invalidArgument('value: expected plain JSON within the bounds of props');
  return JSON.parse(
    wasm.createInteractionEvent(
      stringOf(componentKey),
      stringOf(instanceId),
      stringOf(event),
      json,
    ),
  );
}

export function readComponentEvent(input) {
  const event = wasm.readComponentEvent(textOfComponentEvent(input));
  return event === undefined ? undefined : JSON.parse(event);
}
