import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { errorText } from '@/api/error'
import { download } from '@/api/more/download'
import { useAppStore } from '@/store/hooks'
import { Button } from '@/ui'
import { DownloadIcon, ShareIcon } from '@/ui/icons'
import { saveFile } from '@/ui/more/saveFile'
import { toaster } from '@/ui/toaster'

/** Shares the picture of a record by the browser's own dialog, or saves it where there is none for files. */
export function PictureButton({ recordId, title }: { recordId: string; title: string }) {
  const store = useAppStore()
  const [loading, setLoading] = useState(false)
  const sharesFiles = canShare(pictureFile([]))
  const share = async () => {
    setLoading(true)
    const picture = await download(store, { url: `/records/${encodeURIComponent(recordId)}/preview.png` })
    setLoading(false)
    if (!picture.file) {
      toaster.error({ title: errorText(picture.error, t`The picture could not be loaded`) })
      return
    }
    const file = pictureFile([picture.file])
    try {
      if (sharesFiles) await navigator.share({ title, files: [file] })
      else saveFile(file, file.name)
    } catch (error) {
      // The visitor closed the dialog. Another failure is that of a click too long ago.
      if (!(error instanceof DOMException && error.name === 'AbortError')) saveFile(file, file.name)
    }
  }
  return (
    <Button variant="outline" loading={loading} onClick={share}>
      {sharesFiles ? <ShareIcon /> : <DownloadIcon />}{' '}
      {sharesFiles ? <Trans>Share picture</Trans> : <Trans>Save picture</Trans>}
    </Button>
  )
}

const pictureFile = (parts: Blob[]): File => new File(parts, 'capzone-record.png', { type: 'image/png' })

// canShare is missing in some browsers.
const canShare = (file: File): boolean => Boolean(navigator.canShare?.({ files: [file] }))
