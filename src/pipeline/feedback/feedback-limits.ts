/** As in the reference: what is longer is cut. */
export const FEEDBACK_MESSAGE_CHARS_MAX = 4_096;
export const FEEDBACK_NAME_CHARS_MAX = 256;
export const FEEDBACK_URL_CHARS_MAX = 2_048;

/** What Unreal's crash reporter writes where nobody was asked: no feedback of anybody. */
export const UNATTENDED_MESSAGE = 'Sent in the unattended mode';
