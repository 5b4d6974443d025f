import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../basics'
import { ShareIcon } from '../icons'
import { toaster } from '../toaster'

/** Shares a page of the site by the browser's own dialog, or copies its address where there is none. */
export function ShareButton({ title, path }: { title: string; path: string }) {
  const share = async () => {
    const url = new URL(path, location.origin).href
    try {
      if (navigator.share) await navigator.share({ title, url })
      else {
        await navigator.clipboard.writeText(url)
        toaster.success({ title: t`Link copied` })
      }
    } catch (error) {
      // The visitor closed the dialog.
      if (error instanceof DOMException && error.name === 'AbortError') return
      console.error(error)
      toaster.error({ title: t`The link could not be copied`, description: url })
    }
  }
  return (
    <Button onClick={share}>
      <ShareIcon /> <Trans>Share</Trans>
    </Button>
  )
}
