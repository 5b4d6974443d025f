export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp']

export const MAX_IMAGE_MB = 1

// imageProblem says why a picture may not be sent, or null.
export function imageProblem(file: File): string | null {
  if (!IMAGE_TYPES.includes(file.type)) return 'Invalid image type. Please use JPG, PNG or WebP'
  if (file.size > MAX_IMAGE_MB * 1024 * 1024) return `File too large. Maximum size is ${MAX_IMAGE_MB} MB`
  return null
}
