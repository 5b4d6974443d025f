/** Lets the browser paint and handle input before the next step. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))
