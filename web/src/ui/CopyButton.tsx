import { useEffect, useState } from 'react'
import { CheckIcon, CopyIcon } from './icons'
import { IconButton } from './index'

const SHOWN_MS = 2000

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <IconButton
      size="2xs"
      variant="ghost"
      aria-label={copied ? 'Copied' : label}
      onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true), console.error)}
    >
      {copied ? <CheckIcon size={4} /> : <CopyIcon size={4} />}
    </IconButton>
  )
}
