const MEGABYTE = 1 << 20

// What the pages take; the server checks again.
export const REPLAY_LIMIT_MB = { map: 5, record: 1 } as const
export const IMAGE_LIMIT_MB = 1
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp']

// tooLarge returns what to say of a file above a limit, or null.
export function tooLarge(file: File, limitMb: number): string | null {
  return file.size > limitMb * MEGABYTE ? `File too large. Maximum size is ${limitMb} MB` : null
}

// imageProblem returns what is wrong with a map image, or null.
export function imageProblem(file: File): string | null {
  if (!IMAGE_TYPES.includes(file.type)) return 'Invalid image type. Please use JPG, PNG or WebP'
  return tooLarge(file, IMAGE_LIMIT_MB)
}
