import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { IconButton } from '../basics'
import { CheckIcon, CopyIcon } from '../icons'
import { toaster } from '../toaster'

const SHOWN_MS = 2000

interface Props {
  label: string
  text?: string
  /** Writes a text that has to be loaded, instead of the given one. */
  write?: () => Promise<void>
}

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ label, text = '', write = () => navigator.clipboard.writeText(text) }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await write()
      setCopied(true)
    } catch (error) {
      console.error(error)
      toaster.error({ title: t`This could not be copied. Please try again.` })
    }
  }
  return (
    <IconButton size="2xs" variant="ghost" aria-label={copied ? t`Copied` : label} onClick={copy}>
      {copied ? <CheckIcon size={4} /> : <CopyIcon size={4} />}
    </IconButton>
  )
}
