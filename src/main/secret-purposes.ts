/** Each decides a key of its own: with another word nothing that was made before could be read any more. */
export const DESTINATIONS_PURPOSE = 'destinations';
export const TRACKERS_PURPOSE = 'trackers';
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe';
