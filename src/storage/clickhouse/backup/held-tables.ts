/** Begins the names of tables that hold the parts of another one while a backup reads them. */
export const HELD_PREFIX = 'backup_held_';
