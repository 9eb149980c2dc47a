/** Thrown when this machine cannot have what a run needs; the message says why. */
export class Unavailable extends Error {}
