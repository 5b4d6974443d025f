import type { CaseSubject } from '@/api/desk'
import { TextWithNames } from '@/ui/TextWithNames'
import { subjectNames, subjectText } from './texts'

/** Names a thing: a record by its time, map and player. */
export const SubjectName = ({ subject }: { subject: CaseSubject }) => (
  <TextWithNames text={subjectText(subject)} names={subjectNames(subject)} />
)
