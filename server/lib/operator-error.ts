/** Reports what an operator can correct; its message is one sentence. */
export class OperatorError extends Error {}
