# A question of the decision tree, answered by a check, between two that are there.
bar=1 order=3
programs="core/test_tree core/test_diagnosis"

edit() {
	replace core/diagnose/questions.c '.yes = "X5", .no = "MEMLOCK", .unknown = "X5"' '.yes = "N1", .no = "MEMLOCK", .unknown = "N1"'
	after core/diagnose/questions.c "grep 'locked memory' /proc/PID/limits" '{ .id = "N1", .text = "May the job lock enough memory?", .checks = "app-memlock-enough", .found = ANSWER_NO,
  .needs = "the limit of the job itself", .yes = "X5", .no = "MEMLOCK", .unknown = "X5", .source = "house",
  .wrong_if = "the process is not of the job", .settle = "grep '"'locked memory'"' /proc/PID/limits, of a rank" },'
}
