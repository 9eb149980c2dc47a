/** Why a port cannot be listened on, with the setting that changes it. */
export function describeListenError(error: NodeJS.ErrnoException, port: number, setting: string): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use: stop the other program, or set ${setting} to another one`);
  if (error.code === 'EACCES')
    return new Error(`Port ${port} needs more rights: set ${setting} to 1024 or higher`);
  return error;
}
