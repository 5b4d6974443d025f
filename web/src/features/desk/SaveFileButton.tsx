import { useState } from 'react'
import { errorText } from '@/api/error'
import { download } from '@/api/more/download'
import type { AddressedRequest } from '@/api/request'
import { useAppStore } from '@/store/hooks'
import { Button, type Elements } from '@/ui'
import { DownloadIcon } from '@/ui/icons'
import { saveFile } from '@/ui/more/saveFile'
import { toaster } from '@/ui/toaster'

interface Props {
  /** The call that answers with the file. */
  of: AddressedRequest
  name: string
  /** Says that it failed. */
  failure: string
  small?: true
  children: Elements
}

/** Saves a file that only moderators get. */
export function SaveFileButton({ of, name, failure, children, small }: Props) {
  const store = useAppStore()
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    const { file, error } = await download(store, of)
    setLoading(false)
    if (file) saveFile(file, name)
    else toaster.error({ id: name, title: errorText(error, failure) })
  }
  return (
    <Button variant="outline" size={small ? 'sm' : 'md'} loading={loading} onClick={save}>
      <DownloadIcon size={4} /> {children}
    </Button>
  )
}
