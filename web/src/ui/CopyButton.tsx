import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { IconButton } from './basics'
import { CheckIcon, CopyIcon } from './icons'
import { toaster } from './toaster'

const SHOWN_MS = 2000

interface Props {
  label: string
  /** The text, or a function that loads it. */
  text: string | (() => Promise<string>)
}

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ label, text }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
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
