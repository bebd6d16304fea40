/**
 * Where the boxes of the chart stand, in units of the grid: written by hand, since what is easy to follow is a matter of
 * taste. The way of a turn is a ring: asked above, saved in the middle, judged and run below, and back by the left; what ends a
 * run is on the right. The boxes around follow from what is in them, and the arrows are led by `route.ts`.
 */
export const SPOTS: { readonly [box: string]: readonly [x: number, y: number] } = {
  'asking.checking': [6, 8],
  'asking.measuring': [31, 7],
  'asking.requesting': [58, 7],
  backingOff: [88, 3],
  model_error: [88, 12],
  context_exhausted: [88, 17],

  'persisting.results': [6, 26],
  'persisting.nudge': [23, 26],
  'persisting.response': [40, 26],
  'persisting.closing': [57, 26],
  'persisting.summary': [83, 26],

  'executing.running': [6, 46],
  'executing.stopping': [6, 54],
  'awaitingApproval.asking': [31, 46],
  'awaitingApproval.suspended': [30, 54],
  'validating.gate': [60, 44],
  'validating.reviewing': [59, 53],
  'finishing.checking': [84, 46],
  'finishing.measuring': [84, 53],
  'finishing.requesting': [84, 61],

  answered: [53, 65],
  refused: [64, 65],
  ending: [84, 73],
  max_turns: [32, 65],
  journal_error: [4, 67],
};

export type Side = 'top' | 'right' | 'bottom' | 'left';
/** Where an arrow leaves and where it arrives, if the shortest way is not the clearest. */
export const SIDES: { readonly [ends: string]: readonly [leaves: Side | null, arrives: Side | null] } = {
  'awaitingApproval executing': ['bottom', 'bottom'],
  'executing.running persisting.results': ['right', 'bottom'],
  'validating.gate asking': [null, 'left'],
  'persisting.closing ending': ['bottom', 'left'],
  'persisting.summary ending': ['right', 'right'],
  'persisting.closing persisting.closing': ['top', 'top'],
  'validating.reviewing persisting.results': ['bottom', 'left'],
};
