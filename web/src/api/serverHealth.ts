const TIMEOUT_MS = 5000

/** Reports whether the gateway answers; the state of its services does not matter. */
export async function isServerUp(): Promise<boolean> {
  try {
    const response = await fetch(new URL('/healthz', location.origin), {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.ok
  } catch {
    return false
  }
}
