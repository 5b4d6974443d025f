const PATIENCE_MS = 5000

// isServerUp asks the gateway whether it is there. What it says about its services is of no interest here.
export async function isServerUp(): Promise<boolean> {
  try {
    const response = await fetch(new URL('/healthz', location.origin), {
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return response.ok
  } catch {
    return false
  }
}
