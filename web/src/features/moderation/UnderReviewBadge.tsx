import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useGetRecordModerationQuery } from '@/api/desk'
import { Badge } from '@/ui'

/** Says that a record is under review, where it is. */
export default function UnderReviewBadge({ recordId }: { recordId: string }) {
  const { currentData } = useGetRecordModerationQuery({ id: recordId })
  if (!currentData?.data.beingLookedAt) return null
  return (
    <Badge
      colorPalette="yellow"
      alignSelf="flex-start"
      title={t`An automatic check has found something unusual. Moderators decide whether the record stays.`}
    >
      <Trans>Under review</Trans>
    </Badge>
  )
}
