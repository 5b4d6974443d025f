import { t } from '@lingui/core/macro'
import { CaseQueue } from '@/features/desk/CaseQueue'
import { DeskTabs } from '@/features/desk/DeskTabs'
import { Keys } from '@/features/desk/Keys'

export default function DeskPage() {
  return (
    <DeskTabs title={t`Moderators' desk`} aside={<Keys />}>
      <CaseQueue />
    </DeskTabs>
  )
}
