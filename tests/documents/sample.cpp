void add(int& number) {
  // fragment
}
