// toForm turns a body that has files in it into a form; any other body stays what it is. Fields that are not set are left out.
export function toForm(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || body instanceof FormData || body instanceof Blob)
    return body
  const fields = Object.entries(body)
  if (!fields.some(([, value]) => value instanceof Blob)) return body
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}
